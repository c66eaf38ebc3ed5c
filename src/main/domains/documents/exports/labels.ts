import type { VersionState } from '../../../../shared/model/document.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'

/** Texts that exports add to a document. */
export interface DocumentLabels {
  readonly source: string
  readonly page: (page: number) => string
  readonly highlights: string
  /** Name of the sheet with the facts. */
  readonly about: string
  readonly table: string
  readonly image: (page: number) => string
  readonly missing: Readonly<Record<'failed' | 'cancelled' | 'waiting', (page: number) => string>>
  readonly states: Readonly<Record<VersionState, string>>
  readonly version: (facts: {
    readonly number: number
    readonly engine: string | null
    readonly when: string
    readonly state: string
  }) => string
  readonly counts: (counts: {
    readonly asked: number
    readonly returned: number
    readonly failed: number
    readonly waiting: number
    readonly cancelled: number
  }) => string
  readonly ofDocument: (pages: number) => string
  readonly cut: (chars: number) => string
  readonly tables: (count: number) => string
  readonly cutCells: (count: number) => string
}

/** Labels by language. */
export const documentLabels: Readonly<Record<ExportLanguage, DocumentLabels>> = {
  en: {
    source: 'Source',
    page: (page) => `Page ${page}`,
    highlights: 'Highlights',
    about: 'About',
    table: 'Table',
    image: (page) => `Image on page ${page}`,
    missing: {
      failed: (page) => `Page ${page} could not be parsed`,
      cancelled: (page) => `Page ${page} was stopped before it was parsed`,
      waiting: (page) => `Page ${page} is not parsed yet`,
    },
    states: {
      waiting: 'waiting',
      running: 'running',
      done: 'complete',
      partial: 'some pages failed',
      failed: 'failed',
      cancelled: 'cancelled',
    },
    version: ({ number, engine, when, state }) =>
      `Version ${number}, ${when}, ${engine ?? 'unknown engine'}: ${state}`,
    counts: ({ asked, returned, failed, waiting, cancelled }) =>
      `Pages requested: ${asked}, returned: ${returned}, failed: ${failed}, waiting: ${waiting}, stopped: ${cancelled}`,
    ofDocument: (pages) => `Pages of the document: ${pages}`,
    cut: (chars) => `[truncated: the cell has ${chars} characters]`,
    tables: (count) => `Tables: ${count}`,
    cutCells: (count) => `Truncated cells (too long for a spreadsheet): ${count}`,
  },
  zh: {
    source: '来源',
    page: (page) => `第 ${page} 页`,
    highlights: '高亮',
    about: '说明',
    table: '表格',
    image: (page) => `第 ${page} 页的图片`,
    missing: {
      failed: (page) => `第 ${page} 页解析失败`,
      cancelled: (page) => `第 ${page} 页未解析，已停止`,
      waiting: (page) => `第 ${page} 页尚未解析`,
    },
    states: {
      waiting: '等待中',
      running: '进行中',
      done: '已完成',
      partial: '部分页面失败',
      failed: '失败',
      cancelled: '已停止',
    },
    version: ({ number, engine, when, state }) =>
      `版本 ${number}，${when}，${engine ?? '引擎未知'}：${state}`,
    counts: ({ asked, returned, failed, waiting, cancelled }) =>
      `请求 ${asked} 页，返回 ${returned} 页，失败 ${failed} 页，等待 ${waiting} 页，停止 ${cancelled} 页`,
    ofDocument: (pages) => `文档共 ${pages} 页`,
    cut: (chars) => `[在此截断：该单元格共 ${chars} 个字符]`,
    tables: (count) => `表格数：${count}`,
    cutCells: (count) => `因超出工作表容量而被截断的单元格数：${count}`,
  },
}
