/** The package of the MCP SDK, version 1. */
export const SDK = '@modelcontextprotocol/sdk';

/** Whether a version of the SDK can be driven: `registerTool` and what is used beside it exist since 1.12. */
export function supports(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 1 && minor >= 12;
}
