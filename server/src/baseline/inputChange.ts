import type { Policy } from './inputModel.ts';

/** Where an input stands in the arguments: a field's name, any item of a list, any value of a record. */
export type Step = { readonly field: string } | 'items' | 'values';

/** The object of one side that a change is in. */
export interface Owner {
  /** Ids in the schema graph of the objects that it is made of. */
  readonly nodes: readonly number[];
}

interface Base {
  readonly path: readonly Step[];
  /** The object that holds the input, in the contract of now. */
  readonly owner: Owner;
}

/** One difference between the inputs of a release and those of now. */
export type InputChange =
  | (Base & {
      readonly kind: 'removed';
      readonly required: boolean;
      /** What the object does now with the input that it no longer declares. */
      readonly policy: Policy;
      /** The object that held the input, in the contract of then, and the input's node. */
      readonly before: Owner & { readonly node: number };
      /** The name that it probably has now. */
      readonly renamedTo?: string;
    })
  | (Base & { readonly kind: 'added'; readonly required: boolean; readonly renamedFrom?: string })
  | (Base & { readonly kind: 'required' })
  | (Base & { readonly kind: 'type'; readonly before: string; readonly now: string })
  /** A string became a list. */
  | (Base & { readonly kind: 'reshaped' })
  | (Base & { readonly kind: 'policy'; readonly before: Policy; readonly now: Policy });

export type Removal = Extract<InputChange, { kind: 'removed' }>;
export type Addition = Extract<InputChange, { kind: 'added' }>;

/** A path as people and entries write it: `vehicle.engine`, `stops[].gate`, `routes.*.speed`. Empty at the root. */
export function pathText(path: readonly Step[]): string {
  let text = '';
  for (const step of path) {
    if (step === 'items') text += '[]';
    else text += (text === '' ? '' : '.') + (step === 'values' ? '*' : step.field);
  }
  return text;
}

/**
 * The form in which two spellings of a path are equal. Authors write an item of a list as `stops[].gate`, `stops.*.gate`,
 * `stops[0].gate` or just `stops.gate`, so what leads to items and values is left out.
 */
export function pathKey(path: string): string {
  return path
    .replace(/^\$?\.?/, '')
    .replace(/\[(?:\d+|\*)?\]/g, '')
    .split('.')
    .filter((part) => part !== '' && part !== '*' && !/^\d+$/.test(part))
    .join('.');
}
