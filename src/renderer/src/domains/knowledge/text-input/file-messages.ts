import type { TextChoice, TextTable } from './table.ts'

/** Request to the file reader: to read a file, or to return its rows. */
export type FileRequest =
  | { readonly type: 'read'; readonly file: File }
  | { readonly type: 'rows'; readonly choice: TextChoice }

/** Response of the file reader; `failed` if a file is not text or too large. */
export type FileAnswer =
  | { readonly type: 'read'; readonly table: TextTable }
  | { readonly type: 'rows'; readonly rows: readonly string[] }
  | { readonly type: 'failed'; readonly why: 'large' | 'binary' | 'unreadable' }
