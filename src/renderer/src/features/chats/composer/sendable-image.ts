const ready = /^image\/(png|jpeg)$/

/** Converts an image to a PNG or JPEG, which a message can contain; null if it cannot be read as an image. */
export async function asSendable(file: File): Promise<File | null> {
  if (ready.test(file.type) || (file.type === '' && /\.(png|jpe?g)$/i.test(file.name))) return file
  try {
    const bitmap = await createImageBitmap(file)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    bitmap.close()
    const blob = await canvas.convertToBlob({ type: 'image/png' })
    return new File([blob], `${file.name.replace(/\.\w{1,5}$/, '')}.png`, { type: 'image/png' })
  } catch {
    // Not an image, or one that is too large to be drawn.
    return null
  }
}
