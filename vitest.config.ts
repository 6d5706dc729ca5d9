import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      {
        test: {
          name: 'built',
          sequence: { groupOrder: 1 },
          // Tests that drive what was built: processes, the language server, real servers.
          include: ['test/{lsp,cases,oracle,real,cli,reference,package}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
