import { pathToFileURL } from 'node:url';
import type { Parts } from './parts.ts';

/** What the harness uses of a Playwright page. Its package is fetched at run time, so its types are not there. */
export interface Page {
  goto(address: string): Promise<unknown>;
  exposeFunction(name: string, called: (...args: never[]) => void): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
  on(event: 'crash' | 'close', listener: () => void): void;
  getByRole(role: string, options: { name: string; exact: true }): Locator;
}

/** What the harness uses of a Playwright locator. */
export interface Locator {
  click(): Promise<void>;
  first(): Locator;
}

interface Launched {
  newPage(options: { viewport: { width: number; height: number } }): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: {
    launch(options: {
      executablePath: string;
      args: readonly string[];
      env: { [name: string]: string | undefined };
      headless: true;
    }): Promise<Launched>;
  };
}

/**
 * Opens a headless browser with one empty page.
 *
 * @throws when the browser does not start; Playwright's message names the missing library
 */
export async function openBrowser(parts: Parts): Promise<{ page: Page; close(): Promise<void> }> {
  const { chromium } = (await import(pathToFileURL(parts.playwright).href)) as Playwright;
  const browser = await chromium.launch({
    executablePath: parts.browser.executable,
    args: parts.browser.args,
    env: { ...process.env, ...parts.browser.env },
    headless: true,
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  return { page, close: () => browser.close() };
}
