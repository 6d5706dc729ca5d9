import type { Policy } from './inputModel.ts';

/** Where an input stands in the arguments: a field's name, any item of a list, any value of a record. */
export type Step = { readonly field: string } | 'items' | 'values';

/** Where an input is in the contract of one side. */
export interface Site {
  /** The object that holds it: ids in the schema graph of the objects that it is made of. */
  readonly owner: readonly number[];
  /** The input's own node in the model; absent when this side does not have it. */
  readonly node?: number;
}

interface Base {
  readonly path: readonly Step[];
  readonly before: Site;
  readonly now: Site;
}

/** One difference between the inputs of a release and those of now. */
export type InputChange =
  | (Base & {
      readonly kind: 'removed';
      readonly required: boolean;
      /** What the object does now with the input that it no longer declares. */
      readonly policy: Policy;
      /** The name that it probably has now. */
      readonly renamedTo?: string;
    })
  | (Base & { readonly kind: 'added'; readonly required: boolean; readonly renamedFrom?: string })
  | (Base & { readonly kind: 'required' })
  /** What it took then and does not take now, and what it takes now. */
  | (Base & { readonly kind: 'type'; readonly lost: string; readonly takes: string })
  /** A string became a list. */
  | (Base & { readonly kind: 'reshaped' })
  /** An object answers keys that it does not declare otherwise. */
  | (Base & { readonly kind: 'policy'; readonly was: Policy; readonly is: Policy });

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
