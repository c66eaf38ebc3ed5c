import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { isMain } from './lib/args.mjs'
import { run } from './lib/command.mjs'
import { at } from './lib/paths.mjs'
import { say, script } from './lib/say.mjs'
import { breachesIn, readVocabulary } from './lib/vocabulary.mjs'

/** Checks identifiers, comments and test titles of the code against the words that docs/glossary.md excludes. */
async function checkVocabulary() {
  const vocabulary = readVocabulary(readFileSync(at('docs/glossary.md'), 'utf8'))
  const list = await run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'test', 'scripts', 'bench'],
    { capture: true, cwd: at('.') },
  )
  const files = list.output.split('\n').filter((path) => /\.(?:ts|mjs|vue)$/.test(path))
  if (files.length < 100) throw new Error('git lists no source files.')
  const found = files.flatMap((path) =>
    breachesIn(ts, vocabulary, path, readFileSync(at(path), 'utf8')),
  )
  for (const line of found) say(line)
  return found.length === 0
}

if (isMain(import.meta.url)) await script(async () => ((await checkVocabulary()) ? 0 : 1))
