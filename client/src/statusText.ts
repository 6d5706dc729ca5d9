import type { StatusParams } from '../../shared/src/protocol.ts';

/** What the two lines of the status item show. */
export interface StatusText {
  /** The tools and problems. */
  readonly text: string;
  /** The server's sentence, as far as it fits, or how long the last check took; empty when there is nothing to say. */
  readonly detail: string;
  readonly severity: 'information' | 'warning' | 'error';
  readonly isBusy: boolean;
  /** The second line: the SDKs that judge the tools, or in Restricted Mode the names of the tools. */
  readonly surfaces: string;
  /** What the status bar shows while it is the first time that everything is checked: `212 of 1,000`. */
  readonly progress: string | undefined;
}

/** So many characters fit: VS Code does not break a line of its language status, it hides the command at its end. */
const WIDTH = 48;

/** The words of a status. */
export function statusText(params: StatusParams): StatusText {
  const { state, message, durationMs } = params;
  const duration = durationMs === undefined ? undefined : `checked in ${durationText(durationMs)}`;
  const plain = {
    severity: 'information',
    isBusy: false,
    surfaces: surfacesText(params),
    progress: undefined,
  } as const;
  const detail = message === undefined ? (duration ?? '') : fitted(message);
  switch (state) {
    case 'scanning': {
      const { done, total } = params.progress ?? {};
      const progress =
        done === undefined || total === undefined ? 'looking for tools' : `${count(done)} of ${count(total)}`;
      return {
        ...plain,
        text: `Checking: ${progress}`,
        detail: message === undefined ? '' : fitted(message),
        isBusy: true,
        progress,
      };
    }
    case 'checking':
      return { ...plain, text: totals(params), detail, isBusy: true };
    case 'ready':
      return { ...plain, text: `$(check) ${totals(params)}`, detail };
    case 'restricted':
      return {
        ...plain,
        text: `${plural(params.tools, 'tool')}, not checked`,
        detail: 'nothing runs before you trust it',
        severity: 'warning',
      };
    case 'failed':
      return { ...plain, text: 'Not checked', detail, severity: 'error' };
  }
}

function totals({ tools, problems }: StatusParams): string {
  return `${plural(tools, 'tool')} · ${plural(problems, 'problem')}`;
}

function surfacesText({ surfaces = [], names = [], state }: StatusParams): string {
  if (state !== 'restricted') return surfaces.join(', ');
  let shown = names.length;
  const text = () => {
    const more = names.length - shown;
    return names.slice(0, shown).join(', ') + (more > 0 ? ` and ${count(more)} more` : '');
  };
  while (shown > 1 && text().length > WIDTH) shown -= 1;
  return text();
}

/** The first sentence, cut at a word where even that is too long. */
function fitted(message: string): string {
  const [sentence = ''] = message.split(/(?<=\.) /, 1);
  if (sentence.length <= WIDTH) return sentence;
  const cut = sentence.slice(0, WIDTH);
  return `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}

function durationText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function plural(number: number, word: string): string {
  return `${count(number)} ${word}${number === 1 ? '' : 's'}`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
