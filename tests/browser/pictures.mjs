// Takes screenshots of review pages, light and dark: tests/browser/run --pictures [DIR PLAN...] Without
// arguments, those of the documentation: docs/page-light.png and docs/page-dark.png.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const { TFVIEW, CHROMIUM } = process.env;
const root = fileURLToPath(new URL('../../', import.meta.url));
const [dir, ...plans] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'tfview-pictures-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

const page = (plan, title) => {
  const file = join(scratch, 'plan.html');
  const schema = join(dirname(plan), 'schema.json');
  const schemas = existsSync(schema) ? ['--schemas', schema] : [];
  const words = ['review', '--out', `html=${file}`, '--title', title, ...schemas, plan];
  const { status } = spawnSync(TFVIEW, words, { env: {}, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`tfview ${words.join(' ')}: ${status}`);
  return pathToFileURL(file).href;
};
const picture = async (url, path, colorScheme, width, height) => {
  const shown = await browser.newPage({ colorScheme, viewport: { width, height } });
  await shown.goto(url);
  await shown.screenshot({ path });
  await shown.close();
  console.log(path);
};

try {
  if (dir === undefined) {
    const url = page(join(root, 'fixtures/review/shop/plan.json'), 'Review of shop');
    for (const look of ['light', 'dark']) await picture(url, join(root, `docs/page-${look}.png`), look, 960, 640);
  }
  for (const plan of plans) {
    const name = basename(dirname(plan));
    const url = page(plan, name);
    for (const look of ['light', 'dark']) {
      await picture(url, join(dir, `${name}-${look}.png`), look, 1280, 900);
      await picture(url, join(dir, `${name}-${look}-narrow.png`), look, 320, 900);
    }
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
