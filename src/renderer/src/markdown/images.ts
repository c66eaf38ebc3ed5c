import { remoteHost } from '../../../shared/document/remote-host.ts'
import { limits } from './limits.ts'
import type { Formula } from './math-spans.ts'
import { withSources } from './insert-formulas.ts'
import { writtenPixels } from './svg-image.ts'

/** Which of our own media an address of a text means; null when it means none. */
export type ImageSource = (address: string) => string | null

/** Texts of the picture box, in the reader's language. */
export interface ImageLabels {
  /** Says that a picture of elsewhere is not loaded. */
  readonly away: string
  /** Offers to load it from its host; absent where that cannot be asked for. */
  readonly load?: ((host: string) => string) | undefined
}

const written = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/=\s]+)$/

/** Whether a picture that is written out in a text may be shown: some kilobytes can unfold to gigabytes in the window. */
function isModest(address: string): boolean {
  if (address.length > limits.imageChars) return false
  const pixels = writtenPixels(written.exec(address)?.[1] ?? '')
  return pixels !== null && pixels > 0 && pixels <= limits.imagePixels
}

/**
 * The address a picture may be loaded from: one of our media (what `own` tells, below `mediaBase`), or a PNG or JPEG
 * that is written out in the text and not too large, in characters and in pixels. Anything else would ask another computer, and is null.
 */
export function imageAddress(address: string, mediaBase: string, own: ImageSource): string | null {
  if (address.startsWith('data:')) {
    return isModest(address) ? address : null
  }
  const found = own(address)
  if (found === null || mediaBase === '' || !found.startsWith(mediaBase)) return null
  // An id, and nothing that could climb out of the base.
  return /^[\w-]+$/.test(found.slice(mediaBase.length)) ? found : null
}

/** A box in the place of a picture that is not loaded: its words and its address, as text. */
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

/** The picture that an event asks to load; null where it asks for none. */
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

/** Shows a picture in the place of each box below `root` that offers to load it. */
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

/** Says in the box of a picture why it did not come. */
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

/** Where pictures are, and the words for those that are not loaded. */
export interface ImageOptions extends ImageLabels {
  /** Prefix of the app's own media; empty when it is not known yet: then no picture is loaded. */
  readonly mediaBase: string
  readonly imageSource: ImageSource
}

/** Puts pictures of our own in the place of all pictures of a text, or boxes that say what was there. */
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

/** An address before Markdown wrote it for HTML, so that placeholders are found again. */
function decodedAddress(address: string): string {
  try {
    return address.startsWith('page=') ? decodeURIComponent(address) : address
  } catch {
    return address
  }
}
