import type { TextChoice, TextTable } from './table.ts'

/** What the reader of files is asked: to read one, or for its rows. */
export type FileRequest =
  | { readonly type: 'read'; readonly file: File }
  | { readonly type: 'rows'; readonly choice: TextChoice }

/** What it answers; `failed` where a file is no text or too large. */
export type FileAnswer =
  | { readonly type: 'read'; readonly table: TextTable }
  | { readonly type: 'rows'; readonly rows: readonly string[] }
  | { readonly type: 'failed'; readonly why: 'large' | 'binary' | 'unreadable' }
