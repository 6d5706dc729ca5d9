import { type LanguageClient, uriOf } from '../lsp/harness/index.ts';
import { type EditMeasure, type EditPlan, type State, Tally } from './editing.ts';

/** What one edit after the other leads to: the state, and a number that makes the text a new one. */
interface Edit {
  readonly state: State;
  readonly counter: number;
}

/**
 * Types into one tool file and waits each time for the new text of the open preview of the tool that is typed at. It is
 * compared with what a fresh check of the same text says is advertised.
 */
export async function measurePreviewEdits(
  client: LanguageClient,
  file: string,
  states: readonly State[],
  plan: EditPlan,
): Promise<EditMeasure> {
  const result = new Tally(plan);
  const edits = Array.from({ length: result.total }, (_, edit): Edit => {
    return { state: states[(edit + 1) % states.length] as State, counter: edit + 1 };
  });
  client.documents.open(file);
  const hot = await hotTool(client, file, states);
  for (const [edit, { state, counter }] of edits.entries()) {
    const text = state.text(counter);
    const expected = textOf(state.advertised.get(hot.name), counter);
    const before = client.at;
    const sent = performance.now();
    const { version } = client.documents.change(file, text);
    try {
      const shown = await client.previewChanged(hot.uri, before, plan.deadlineMs);
      result.answered(edit, performance.now() - sent);
      // As for diagnostics, an edit does not meet a server that is busy with the one before.
      await client.publicationOf(file, { version, deadlineMs: plan.deadlineMs });
      if (shown !== expected) result.wrong(`Edit ${counter} should show:\n${expected}\nbut shows:\n${shown}`);
    } catch (error) {
      if (result.unanswered(error)) break;
    }
  }
  return result.measure();
}

/** The tool whose schema the states change, and its preview, which is open from then on. */
async function hotTool(client: LanguageClient, file: string, states: readonly State[]) {
  const [first, second] = states.map(({ advertised }) => advertised);
  const { tools } = await client.tools({ uri: uriOf(file) });
  const own = tools.filter(({ nearness }) => nearness === 'here');
  const hot = own.find(({ name }) => textOf(first?.get(name), 0) !== textOf(second?.get(name), 0));
  const uri = hot?.surfaces[0]?.uri;
  if (!hot || uri === undefined) throw new Error(`No tool of ${file} is another one in another state.`);
  await client.preview(uri);
  return { name: hot.name, uri };
}

/** A preview document, from what was advertised when the number in the text was 0. */
function textOf(advertised: unknown, counter: number): string {
  const text = `${JSON.stringify(advertised, null, 2)}\n`;
  return text.replaceAll('000000', String(counter).padStart(6, '0'));
}
