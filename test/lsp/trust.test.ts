import { expect, test } from 'vitest';
import { TRUST_GRANTED } from '../../shared/src/protocol.ts';
import { codes, editor, folder, serverModule } from './folders.ts';

/** A schema whose evaluation prints: what is printed reaches the log, and only if it ran. */
const TALKATIVE = "export const Vault = (console.log('the vault was opened'), z.strictObject({ door: z.string() }));";

test('in Restricted Mode nothing runs, the tools are listed by name, and trust brings the findings', async () => {
  const { root, file } = folder({ 'src/server.ts': serverModule(TALKATIVE, 'Vault.shape') });
  const client = await editor(root, { initializationOptions: { trusted: false } });
  const status = await client.status({ where: ({ state }) => state === 'restricted' });
  expect(status.names).toEqual(['list_boats']);
  expect(status.message).toContain('Trust this workspace');
  client.documents.open(file('src/server.ts'));
  const before = client.at;
  await client.execute('toolContracts.server.check');
  await client.status({ after: before, where: ({ state }) => state === 'restricted' });
  expect(client.problems().size).toBe(0);
  expect(client.answers.log.map(({ message }) => message).join('\n')).not.toContain('the vault was opened');
  client.notify(TRUST_GRANTED, null);
  expect(
    codes(await client.diagnosticsOf(file('src/server.ts'), { where: ({ diagnostics }) => diagnostics.length > 0 })),
  ).toEqual(['dropped-catchall']);
});
