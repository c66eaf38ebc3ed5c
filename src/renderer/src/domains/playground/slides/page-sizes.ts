import type { SlidesVariables } from '../../../../../shared/contract/slides.ts'

/** A row of sizes as typed. */
export interface PageSize {
  readonly position: string
  readonly width: string
  readonly height: string
}

/** Parses typed rows: returns sizes in centimeters, or the invalid rows. */
export function sizesOf(
  rows: readonly PageSize[],
):
  | { readonly pages: NonNullable<SlidesVariables['pages']> }
  | { readonly wrong: readonly number[] } {
  const pages = rows.map(({ position, width, height }) => ({
    position: figure(position),
    width: figure(width),
    height: figure(height),
  }))
  const wrong = pages.flatMap(({ position, width, height }, row) =>
    Number.isInteger(position) && position >= 1 && width > 0 && height > 0 ? [] : [row],
  )
  return wrong.length > 0 ? { wrong } : { pages }
}

/** Parses a number with a decimal point or comma; NaN for anything else. */
const figure = (typed: string): number =>
  /^\s*\d+(?:[.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : NaN
