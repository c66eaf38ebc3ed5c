/** An exported page, taken apart to be shown inside ours: its style holds for the shadow root that it is put into. */
export interface Sheet {
  readonly style: string
  readonly body: HTMLElement
}

/** Reads the page that main wrote: cleaned there, no script, no picture; nothing of it runs before or after it is shown. */
export function readSheet(html: string): Sheet {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const style = page.querySelector('style')?.textContent ?? ''
  for (const element of page.body.querySelectorAll('details')) element.open = true
  return { style: style.replaceAll(':root', ':host'), body: page.body }
}

/** Puts it into a shadow root, in the place of what was there. */
export function showSheet(root: ShadowRoot, sheet: Sheet): void {
  const style = root.ownerDocument.createElement('style')
  style.textContent = sheet.style
  root.replaceChildren(style, root.ownerDocument.adoptNode(sheet.body))
}
