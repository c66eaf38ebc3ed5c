import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

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

const scriptBlock = /(<script\b[^>]*>)([\s\S]*?)<\/script>/g
const blank = (text: string): string => text.replace(/[^\n]/g, '')

/** Returns the script blocks of a Vue file with everything else blanked, so that line numbers stay. */
export function scriptOf(vue: string): string {
  let code = ''
  let from = 0
  for (const match of vue.matchAll(scriptBlock)) {
    const start = match.index + (match[1]?.length ?? 0)
    code += blank(vue.slice(from, start)) + (match[2] ?? '')
    from = start + (match[2]?.length ?? 0)
  }
  return code + blank(vue.slice(from))
}

/** Parses a source file of the repository. */
export function sourceOf(path: string, text: string): Source {
  const program = path.endsWith('.vue') ? scriptOf(text) : text
  return { path, text, code: ts.createSourceFile(path, program, ts.ScriptTarget.Latest, true) }
}

/** Returns every .ts and .vue file below a folder of the repository. */
export function sourcesBelow(folder: string): readonly Source[] {
  return repositoryFiles()
    .filter((path) => path.startsWith(`${folder}/`) && /\.(ts|mts|vue)$/.test(path))
    .map((path) => sourceOf(path, read(path)))
}
