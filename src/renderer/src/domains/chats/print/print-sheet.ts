/** Exported page, split for display inside the app: its style applies to the shadow root that contains it. */
export interface Sheet {
  readonly style: string
  readonly body: HTMLElement
}

/** Parses a page that main wrote: sanitized there, no scripts, no images; nothing in it is ever executed. */
export function readSheet(html: string): Sheet {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const style = page.querySelector('style')?.textContent ?? ''
  for (const element of page.body.querySelectorAll('details')) element.open = true
  return { style: style.replaceAll(':root', ':host'), body: page.body }
}

/** Renders it into a shadow root, replacing the previous content. */
export function showSheet(root: ShadowRoot, sheet: Sheet): void {
  const style = root.ownerDocument.createElement('style')
  style.textContent = sheet.style
  root.replaceChildren(style, root.ownerDocument.adoptNode(sheet.body))
}
