import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser, type Page } from './browser.ts';
import { type Host, type HostFolders, SUITE_MS, type SuiteRun } from './host.ts';
import type { Parts } from './parts.ts';
import { HOST_VARIABLE, type HostRequests, serveRequests } from './requests.ts';
import { startServer, type VscodeServer } from './server.ts';

/** VS Code's own server and web workbench, in a headless browser. */
export function webHost(parts: Parts, folders: HostFolders): Host {
  return {
    name: "VS Code's own server and web workbench, in headless Chromium",
    async run(run) {
      const data = join(folders.data, run.name);
      const closers: (() => unknown)[] = [() => rm(data, { recursive: true, force: true })];
      try {
        const log = createWriteStream(join(folders.logs, `${run.name}-extension-host.log`));
        closers.unshift(() => log.end());
        const { page, close } = await openBrowser(parts);
        closers.unshift(close);
        const requests = await serveRequests(requestsOf(page, folders.screenshots));
        closers.unshift(requests.close);
        const server = await startServer(parts, {
          data,
          log: join(folders.logs, `${run.name}-server.log`),
          trusted: run.trusted,
          driver: true,
          ...(run.vsix !== undefined && { vsix: run.vsix }),
          env: { [HOST_VARIABLE]: requests.address },
        });
        closers.unshift(server.stop);
        const code = await openAndWait(page, server, run, log);
        if (code !== 0) await page.screenshot({ path: join(folders.screenshots, `${run.name}-end.png`) });
        return code;
      } finally {
        for (const close of closers) await close();
      }
    },
  };
}

function requestsOf(page: Page, screenshots: string): HostRequests {
  return {
    say: (line) => console.log(line),
    async screenshot(name) {
      await page.screenshot({ path: join(screenshots, `${name}.png`) });
      return true;
    },
    async trust() {
      await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
      return true;
    },
  };
}

/** The page's address: the folder to open, and the extension and suite to run in it. */
function pageAddress(server: VscodeServer, run: SuiteRun): string {
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${encodeURI(path)}`;
  const payload = [
    ['extensionDevelopmentPath', remote(run.extension)],
    ['extensionTestsPath', remote(run.suite)],
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  const query = new URLSearchParams({ folder: run.folder, payload: JSON.stringify(payload) });
  return `${server.address}/?${query}`;
}

async function openAndWait(page: Page, server: VscodeServer, run: SuiteRun, log: WriteStream): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<number>((done, fail) => {
    timer = setTimeout(() => {
      console.error(`No result within ${SUITE_MS / 1000} s.`);
      done(1);
    }, SUITE_MS);
    void server.ended.then((sentence) => fail(new Error(sentence)));
    for (const end of ['crash', 'close'] as const) page.on(end, () => fail(new Error(`The page of VS Code: ${end}.`)));
    // The two functions are the workbench's own protocol for tests.
    void page.exposeFunction('codeAutomationExit', (code: number) => done(code));
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    log.write(`${type} ${args.map(String).join(' ')}\n`);
  });
  try {
    await page.goto(pageAddress(server, run));
    return await ended;
  } finally {
    clearTimeout(timer);
  }
}
