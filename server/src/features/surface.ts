import type { Surface } from '../../../shared/src/model.ts';
import { SDKS } from '../surfaces/sdks.ts';

/** A surface as a person reads it: `MCP SDK 1.32.2`. */
export function surfaceName({ id, version }: Surface): string {
  if (id === 'contract') return 'no SDK: judged by the schema alone';
  return [SDKS[id].name, version].filter(Boolean).join(' ');
}
