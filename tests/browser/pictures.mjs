// Takes screenshots of reviews as pages and as comments on a pull request, light and dark, and of the page of a run:
// tests/browser/run --pictures [DIR PLAN...]. Without arguments, those of the documentation.
//
// A comment is rendered as GitHub does: its Markdown with alerts, its style sheet.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { marked } from 'marked';
import markedAlert from 'marked-alert';
import { chromium } from 'playwright-core';

const { TFVIEW, CHROMIUM } = process.env;
const root = fileURLToPath(new URL('../../', import.meta.url));
const [dir, ...plans] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'tfview-pictures-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

const style = readFileSync(createRequire(import.meta.url).resolve('github-markdown-css/github-markdown.css'), 'utf8');
marked.use(markedAlert());

const tfview = (...words) => {
  const { status, stdout } = spawnSync(TFVIEW, words, { cwd: root, env: {}, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  // 1: a unit failed.
  if (status !== 0 && status !== 1) throw new Error(`tfview ${words.join(' ')}: ${status}`);
  return stdout;
};
// The schemas of a plan, and the report of units, if they are beside it.
const besides = (plan) =>
  [['--schemas', 'schema.json'], ['--report', 'report.json']].flatMap(([option, name]) => {
    const file = join(dirname(plan), name);
    return existsSync(resolve(root, file)) ? [option, file] : [];
  });
let pages = 0;
const page = (plan, title) => {
  const file = join(scratch, `${++pages}.html`);
  tfview('review', '--out', `html=${file}`, '--title', title, ...besides(plan), plan);
  return pathToFileURL(file).href;
};
const comment = (plan) => {
  const file = join(scratch, `${++pages}.html`);
  const text = tfview('review', '--format', 'markdown', '--max-bytes', 'github', ...besides(plan), plan);
  const body = `<body class="markdown-body" style="padding: 16px">${marked.parse(text)}</body>`;
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>comment</title><style>${style}</style>${body}`);
  return pathToFileURL(file).href;
};
const run = (messages) => {
  const file = join(scratch, `${++pages}.html`);
  tfview('stream', '--out', `html=${file}`, messages);
  return pathToFileURL(file).href;
};
// Without a height, the whole page.
const picture = async (url, path, colorScheme, width, height) => {
  const shown = await browser.newPage({ colorScheme, viewport: { width, height: height ?? 100 } });
  await shown.goto(url);
  await shown.screenshot({ path, fullPage: height === undefined });
  await shown.close();
  console.log(path);
};

try {
  if (dir === undefined) {
    const shown = [
      ['page', page('fixtures/review/shop/plan.json', 'Review of shop'), 960, 640],
      ['units', page('fixtures/units/plans', 'Review of 100 units'), 960, 640],
    ];
    for (const [name, url, width, height] of shown) {
      for (const look of ['light', 'dark']) await picture(url, join(root, `docs/${name}-${look}.png`), look, width, height);
    }
    for (const [name, plan] of [['comment', 'fixtures/review/shop/plan.json'], ['units-comment', 'fixtures/units/plans']]) {
      const posted = comment(plan);
      for (const look of ['light', 'dark']) await picture(posted, join(root, `docs/${name}-${look}.png`), look, 900);
    }
    await picture(run('fixtures/goldens/apply-error-midway-opentofu/apply.jsonl'), join(root, 'docs/run.png'), 'light', 800);
  }
  for (const plan of plans) {
    const name = basename(dirname(plan));
    const url = page(plan, name);
    for (const look of ['light', 'dark']) {
      await picture(url, join(dir, `${name}-${look}.png`), look, 1280, 900);
      await picture(url, join(dir, `${name}-${look}-narrow.png`), look, 320, 900);
    }
    const posted = comment(plan);
    for (const look of ['light', 'dark']) {
      await picture(posted, join(dir, `${name}-comment-${look}.png`), look, 900, 900);
      await picture(posted, join(dir, `${name}-comment-${look}-narrow.png`), look, 360, 900);
    }
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
