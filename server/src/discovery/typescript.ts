/** The one TypeScript of the product: ts-morph's, for parsing and module resolution. */
export { ts } from 'ts-morph';
