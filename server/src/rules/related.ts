import type { Contract, Place, Related } from '../../../shared/src/model.ts';

/** Whether a place lies within another. */
export function contains(outer: Place, inner: Place): boolean {
  return outer.file === inner.file && outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
}

/** Where a finding's tool is defined and registered, unless the finding stands right there. */
export function registrationRelated(contract: Contract, at: Place): Related[] {
  const { definedAt, registeredAt } = contract;
  const tool = contract.name ?? 'a tool';
  const related: Related[] = [];
  if (!contains(definedAt, at)) {
    related.push({ place: definedAt, message: `${registeredAt ? 'defined' : 'registered'} as ${tool} here` });
  }
  if (registeredAt && !contains(registeredAt, at)) {
    related.push({ place: registeredAt, message: `registered as ${tool} here` });
  }
  return related;
}
