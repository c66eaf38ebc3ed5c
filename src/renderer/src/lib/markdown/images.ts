import { imageHeader } from '../../../../shared/documents/image-header.ts'
import { remoteHost } from '../../../../shared/documents/remote-host.ts'
import { limits } from './limits.ts'
import type { Formula } from './math-spans.ts'
import { withSources } from './insert-formulas.ts'

/** Maps an address in a text to one of our own media; null for any other. */
export type ImageSource = (address: string) => string | null

/** Translated text of the image box. */
interface ImageLabels {
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
  try {
    const header = imageHeader(Uint8Array.from(atob(head), (char) => char.charCodeAt(0)))
    return header && !header.isIrregular ? header.width * header.height : null
  } catch {
    // It is not Base64.
    return null
  }
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
interface ImageOptions extends ImageLabels {
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
