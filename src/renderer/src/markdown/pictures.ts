import { limits } from './limits.ts'
import type { Formula } from './math-spans.ts'
import { withSources } from './put-formulas.ts'

/** Which of our own media an address of a text means; null when it means none. */
export type PictureSource = (address: string) => string | null

/** Texts of the picture box, in the reader's language. */
export interface PictureWords {
  /** Says that a picture of elsewhere is not loaded. */
  readonly away: string
}

const written = /^data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/=\s]+$/

/**
 * The address a picture may be loaded from: one of our media (what `own` tells, below `mediaBase`), or a PNG or JPEG
 * that is written out in the text and not too large. Anything else would ask another computer, and is null.
 */
export function pictureAddress(
  address: string,
  mediaBase: string,
  own: PictureSource,
): string | null {
  if (address.startsWith('data:')) {
    return address.length <= limits.pictureChars && written.test(address) ? address : null
  }
  const found = own(address)
  if (found === null || mediaBase === '' || !found.startsWith(mediaBase)) return null
  // An id, and nothing that could climb out of the base.
  return /^[\w-]+$/.test(found.slice(mediaBase.length)) ? found : null
}

/** A box in the place of a picture that is not loaded: its words and its address, as text. */
export function pictureBox(
  root: Document,
  picture: { readonly alt: string; readonly address: string },
  words: PictureWords,
): HTMLElement {
  const box = root.createElement('span')
  box.className = 'md-picture'
  box.title = words.away
  if (picture.alt !== '') {
    const name = root.createElement('b')
    name.textContent = picture.alt
    box.append(name, ' ')
  }
  const address = root.createElement('small')
  address.textContent =
    picture.address.length > 200 ? `${picture.address.slice(0, 200)}…` : picture.address
  box.append(address)
  return box
}

/** Where pictures are, and the words for those that are not loaded. */
export interface PictureOptions extends PictureWords {
  /** Prefix of the app's own media; empty when it is not known yet: then no picture is loaded. */
  readonly mediaBase: string
  readonly picture: PictureSource
}

/** Puts pictures of our own in the place of all pictures of a text, or boxes that say what was there. */
export function putPictures(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
  options: PictureOptions,
): void {
  for (const picture of fragment.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    const alt = withSources(picture.alt, formulas)
    const url = pictureAddress(decodedAddress(address), options.mediaBase, options.picture)
    if (url === null) {
      const box = pictureBox(
        fragment.ownerDocument,
        { alt, address: decodedAddress(address) },
        options,
      )
      picture.replaceWith(box)
      continue
    }
    const own = fragment.ownerDocument.createElement('img')
    own.alt = alt
    own.loading = 'lazy'
    own.decoding = 'async'
    own.src = url
    picture.replaceWith(own)
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
