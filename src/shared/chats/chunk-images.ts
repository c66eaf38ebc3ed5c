const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Returns the images named in a text: their own text occurs in it. Images without text are never named. */
export function imagesNamed<T extends { readonly text: string }>(
  text: string,
  images: readonly T[],
): readonly T[] {
  const inside = plain(text)
  return images.filter((image) => {
    const name = plain(image.text)
    return name !== '' && inside.includes(name)
  })
}

/**
 * Groups the images of a document by its slices: each belongs to the slices that name it; one that none names may belong
 * to any.
 */
export function imagesBySlice<T extends { readonly text: string }>(
  texts: readonly string[],
  images: readonly T[],
): readonly (readonly T[])[] {
  const named = texts.map((text) => imagesNamed(text, images))
  const known = new Set(named.flat())
  return named.map((own) => images.filter((one) => own.includes(one) || !known.has(one)))
}
