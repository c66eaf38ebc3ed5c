import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { scriptOf } from '../../scripts/lib/vocabulary.mjs'

/** Folder that contains package.json. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** File of the repository, read once. */
export interface Source {
  /** From the root, with slashes: `src/main/app.ts`. */
  readonly path: string
  readonly text: string
  /** Its code: all of a .ts file, the script blocks of a .vue file at their original lines. */
  readonly code: ts.SourceFile
}

/** Returns the files that git tracks or would track: a clone without built or downloaded files. */
export function repositoryFiles(): readonly string[] {
  const list = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return list.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

/** Returns the text of a file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Parses a source file of the repository. */
export function sourceOf(path: string, text: string): Source {
  const code = ts.createSourceFile(path, scriptOf(path, text), ts.ScriptTarget.Latest, true)
  return { path, text, code }
}

/** Returns every file with code below a folder of the repository. */
export function sourcesBelow(folder: string): readonly Source[] {
  return repositoryFiles()
    .filter((path) => path.startsWith(`${folder}/`) && /\.(ts|mts|mjs|vue)$/.test(path))
    .map((path) => sourceOf(path, read(path)))
}
