/** The documents that the server is told of, and beside which the status item stands: a selector for VS Code and LSP. */
export const DOCUMENTS = [
  { scheme: 'file', language: 'typescript' },
  { scheme: 'file', language: 'typescriptreact' },
  { scheme: 'file', language: 'javascript' },
  { scheme: 'file', language: 'javascriptreact' },
  { scheme: 'file', pattern: '**/tool-contracts.json' },
] as const;
