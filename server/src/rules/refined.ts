import type { SchemaNode } from '../../../shared/src/model.ts';

/** Whether a node has a refinement of its own. In zod 3 a refinement is a wrapper around the node. */
export function isRefined(node: SchemaNode): boolean {
  return node.checks?.includes('custom') ?? false;
}
