import type { Locator, Page } from 'playwright-core'

/** Link of a section in the main navigation. */
export const section = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true })

export const main = (page: Page): Locator => page.getByRole('main')

/** Row of an item in the list of a section. */
export const row = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: 'List' }).getByRole('link', { name: title }).first()
