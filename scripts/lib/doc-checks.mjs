// What must be true of the documentation, whoever wrote it: it names what is there, and leaves out nothing that it lists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { anchorOf } from './api-pages.mjs';
import { root } from './toolchain.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

/** Every page of documentation, as a path from the root. */
export function documents(folder = 'docs') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return documents(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The files that a page names and that aren't there: its links, and what stands in code as a path of this repository. */
function missingFiles(page) {
  const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link]) =>
    relative(root, join(root, dirname(page), link)),
  );
  const paths = [...text.matchAll(/`((?:libs|services|scripts|web|docs)\/[\w./-]+)`/g)].map(
    ([, path]) => path,
  );
  return [...links, ...paths].filter((path) => !existsSync(join(root, path)));
}

/** The links of a page to headings that aren't there, in the page itself or in another one. */
function missingHeadings(page) {
  const links = read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]+)\)/g);
  return [...links].flatMap(([, file, anchor]) => {
    const target = file === '' ? page : relative(root, join(root, dirname(page), file));
    if (!target.endsWith('.md') || !existsSync(join(root, target))) return [];
    const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));
    return headings.includes(anchor) ? [] : [`${target}${anchor}`];
  });
}

function undocumentedSettings() {
  const names = [...read('services/lode/settings.ts').matchAll(/^ {2}([A-Z][A-Z_]+): z/gm)].map(
    ([, name]) => name,
  );
  if (names.length === 0)
    throw new Error('services/lode/settings.ts has no setting that this script can see.');
  const page = read('docs/reference/settings.md');
  return names.filter((name) => !page.includes(`\`${name}\``));
}

/** The libraries and services that the map of the house leaves out. */
function unlistedFolders() {
  const [, house = ''] = /^## The house\n\n```\n(.*?)^```$/ms.exec(read('CONTRIBUTING.md')) ?? [];
  return ['libs', 'services'].flatMap((part) => {
    const [, listed = ''] = new RegExp(`^${part}/\n((?: .*\n)*)`, 'm').exec(house) ?? [];
    return readdirSync(join(root, part))
      .filter((name) => !listed.includes(`  ${name}/ `))
      .map((name) => `${part}/${name}`);
  });
}

/** The decisions that their index leaves out. */
function unlistedDecisions() {
  const index = read('docs/adr/README.md');
  return readdirSync(join(root, 'docs', 'adr')).filter(
    (file) => /^\d/.test(file) && !index.includes(`(${file})`),
  );
}

/** Terms that the glossary may have: more would be a language of its own. */
const GLOSSARY_MAX = 40;

/** What is wrong with the glossary beside names of files that aren't there. */
function glossaryFaults() {
  const page = 'docs/reference/glossary.md';
  const entries = read(page)
    .split('\n')
    .filter((line) => line.startsWith('- '));
  const terms = entries.map((line) => /^- \*\*([^*]+)\*\*: /.exec(line)?.[1]?.toLowerCase());
  const known = terms.filter((term) => term !== undefined);
  return [
    ...(entries.length > GLOSSARY_MAX
      ? [`${page} has ${entries.length} terms, more than ${GLOSSARY_MAX}.`]
      : []),
    ...entries
      .filter((line, n) => terms[n] === undefined || !/`[\w.-]+\/[\w./-]+\.ts`/.test(line))
      .map((line) => `${page} has a line that is no term with its meaning and its file: ${line}`),
    ...known
      .filter((term, n) => known.indexOf(term) !== n)
      .map((term) => `${page} gives ${term} two meanings.`),
  ];
}

/** The codes that nothing throws, and those that no test expects; the tables of codes don't count. */
async function idleCodes() {
  const { errorCodes } = await import('../../dist/libs/kernel/index.js');
  const tables =
    /^libs\/(?:kernel\/errors|contracts\/.*)|^services\/api\/(?:http\/status|identity-toolkit\/errors)/;
  const sources = ['libs', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).flatMap((file) => {
      const path = `${folder}/${file}`;
      return path.endsWith('.ts') && !tables.test(path) ? [{ path, text: read(path) }] : [];
    }),
  );
  const isTest = ({ path }) => /\.spec\.ts$|\/(?:contract|testing)\//.test(path);
  const names =
    (code) =>
    ({ text }) =>
      text.includes(`'${code}'`);
  const shipped = sources.filter((source) => !isTest(source));
  const tests = sources.filter(isTest);
  return [
    ...errorCodes.filter((code) => !shipped.some(names(code))).map((code) => `Nothing answers ${code}.`),
    ...errorCodes.filter((code) => !tests.some(names(code))).map((code) => `No test expects ${code}.`),
  ];
}

/** Everything that the documentation says and that isn't so, or doesn't say and should; a sentence each. */
export async function complaints() {
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...documents()];
  return [
    ...pages.flatMap((page) => missingFiles(page).map((file) => `${page} names ${file}, which isn't there.`)),
    ...pages.flatMap((page) =>
      missingHeadings(page).map((heading) => `${page} names ${heading}, which isn't there.`),
    ),
    ...unlistedFolders().map((folder) => `CONTRIBUTING.md has no line for ${folder}.`),
    ...glossaryFaults(),
    ...unlistedDecisions().map((file) => `docs/adr/README.md leaves out ${file}.`),
    ...(await idleCodes()),
    ...undocumentedSettings().map((name) => `docs/reference/settings.md doesn't name ${name}.`),
  ];
}
