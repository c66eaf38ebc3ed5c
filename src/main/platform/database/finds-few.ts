import type { Connection, Value } from './connection.ts'

/** Number of rows that are collected and sorted faster than the rows of a list are scanned in order. */
const few = 1000

/** Returns whether a query finds few rows: those of a large folder or a common tag are near the beginning of a list. */
export const findsFew = (connection: Connection, sql: string, ...values: Value[]): boolean =>
  (connection.get<{ n: number }>(`SELECT count(*) AS n FROM (${sql} LIMIT ${few + 1})`, ...values)
    ?.n ?? 0) <= few
