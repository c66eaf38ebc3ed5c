import { remoteHost } from '../../../../shared/documents/remote-host.ts'
import { limits } from './limits.ts'
import type { Formula } from './math-spans.ts'
import { withSources } from './insert-formulas.ts'

/** Maps an address in a text to one of our own media; null for any other. */
export type ImageSource = (address: string) => string | null

/** Translated text of the image box. */
export interface ImageLabels {
  /** Explains that an external image is not loaded. */
  readonly away: string
  /** Label of the button that loads it from its host; absent if images cannot be requested. */
  readonly load?: ((host: string) => string) | undefined
}

/** Characters of an image in which its size is searched: profiles and previews precede it. */
const headChars = 400_000

/**
 * Number of pixels of a Base64-encoded PNG or JPEG, from its header. Null for anything else, whatever its address claims:
 * browsers use the bytes.
 */
function pixelsOf(base64: string): number | null {
  const head = base64.replaceAll(/\s/g, '').slice(0, headChars)
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = Uint8Array.from(atob(head), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
  const view = new DataView(bytes.buffer)
  try {
    return view.getUint16(0) === 0xffd8 ? jpegPixels(view) : pngPixels(view)
  } catch {
    // The data ends within the header.
    return null
  }
}

const pngPixels = (view: DataView): number | null =>
  view.getUint32(0) === 0x89504e47 &&
  view.getUint32(4) === 0x0d0a1a0a &&
  view.getUint32(12) === 0x49484452
    ? view.getUint32(16) * view.getUint32(20)
    : null

/** Walks from segment to segment to the frame header. Rejects any data between two, since decoders skip it differently. */
function jpegPixels(view: DataView): number | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint8(at + 1) === 0xff) at += 1
    const marker = view.getUint8(at + 1)
    if (marker === 0xda || (marker & 0xf8) === 0xd0 || marker < 0xc0) return null
    const isFrame = (marker & 0xf0) === 0xc0 && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return view.getUint16(at + 5) * view.getUint16(at + 7)
  }
  return null
}

const embedded = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/=\s]+)$/

/** Whether an image embedded in a text is small enough to show: some kilobytes can expand to gigabytes in the window. */
function isModest(address: string): boolean {
  if (address.length > limits.imageChars) return false
  const pixels = pixelsOf(embedded.exec(address)?.[1] ?? '')
  return pixels !== null && pixels > 0 && pixels <= limits.imagePixels
}

/**
 * Returns the address an image may be loaded from: one of our media (as `own` returns it, below `mediaBase`), or a PNG or JPEG
 * embedded in the text that is not too large, in characters and in pixels. Anything else would contact another computer, and
 * returns null.
 */
export function imageAddress(address: string, mediaBase: string, own: ImageSource): string | null {
  if (address.startsWith('data:')) {
    return isModest(address) ? address : null
  }
  const found = own(address)
  if (found === null || mediaBase === '' || !found.startsWith(mediaBase)) return null
  // An ID, and nothing that could escape the base path.
  return /^[\w-]+$/.test(found.slice(mediaBase.length)) ? found : null
}

/** A box in place of an image that is not loaded: its label and its address, as text. */
export function imageBox(
  root: Document,
  image: { readonly alt: string; readonly address: string },
  words: ImageLabels,
): HTMLElement {
  const box = root.createElement('span')
  box.className = 'md-picture'
  box.title = words.away
  if (image.alt !== '') {
    const name = root.createElement('b')
    name.textContent = image.alt
    box.append(name, ' ')
  }
  const address = root.createElement('small')
  address.textContent =
    image.address.length > 200 ? `${image.address.slice(0, 200)}…` : image.address
  box.append(address)
  const host = words.load ? remoteHost(image.address) : null
  if (words.load && host !== null) {
    const button = root.createElement('button')
    button.type = 'button'
    button.className = loadClass
    button.title = image.address
    button.dataset['address'] = image.address
    button.textContent = words.load(host)
    box.append(' ', button)
  }
  return box
}

const loadClass = 'md-picture-load'

/** The image that an event requests to load; null if it requests none. */
export function requestedImage(
  event: Event,
): { readonly address: string; readonly button: HTMLButtonElement } | null {
  const button =
    event.target instanceof Element
      ? event.target.closest<HTMLButtonElement>(`button.${loadClass}`)
      : null
  const address = button?.dataset['address']
  return button && address !== undefined ? { address, button } : null
}

/** Replaces each box below `root` that offers to load this image with the image. */
export function fillBoxes(root: Element, address: string, url: string): void {
  for (const button of root.querySelectorAll<HTMLElement>(`button.${loadClass}`)) {
    const box = button.parentElement
    if (button.dataset['address'] !== address || !box) continue
    const name = box.querySelector('b')?.textContent ?? ''
    box.classList.remove('md-picture')
    box.removeAttribute('title')
    box.replaceChildren(imageOf(root.ownerDocument, url, name))
  }
}

/** Shows in an image's box why it could not be loaded. */
export function showLoadError(button: HTMLButtonElement, words: string): void {
  const known = button.parentElement?.querySelector('[role=alert]')
  const place = known ?? button.ownerDocument.createElement('span')
  place.setAttribute('role', 'alert')
  place.textContent = words
  if (!known) button.after(' ', place)
}

function imageOf(root: Document, url: string, alt: string): HTMLImageElement {
  const image = root.createElement('img')
  image.alt = alt
  image.loading = 'lazy'
  image.decoding = 'async'
  image.src = url
  return image
}

/** Image sources, and labels for images that are not loaded. */
export interface ImageOptions extends ImageLabels {
  /** URL prefix of the app's own media; empty while unknown: then no image is loaded. */
  readonly mediaBase: string
  readonly imageSource: ImageSource
}

/** Replaces all images of a text with our own media, or with boxes that describe them. */
export function putImages(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
  options: ImageOptions,
): void {
  for (const image of fragment.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? ''
    const alt = withSources(image.alt, formulas)
    const url = imageAddress(decodedAddress(address), options.mediaBase, options.imageSource)
    if (url === null) {
      const box = imageBox(
        fragment.ownerDocument,
        { alt, address: decodedAddress(address) },
        options,
      )
      image.replaceWith(box)
      continue
    }
    image.replaceWith(imageOf(fragment.ownerDocument, url, alt))
  }
}

/** An address before Markdown encoded it for HTML, so that placeholders are recognized. */
function decodedAddress(address: string): string {
  try {
    return address.startsWith('page=') ? decodeURIComponent(address) : address
  } catch {
    return address
  }
}
