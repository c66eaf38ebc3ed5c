const fileAlignment = 0x200
const sectionAlignment = 0x1000
const headersSize = fileAlignment
const imageBase = 0x1_8000_0000n

/** The export directory at this address of the image: one name, forwarded to a function of another library. */
function exportDirectory(
  /** @type {number} */ at,
  /** @type {string} */ library,
  /** @type {string} */ name,
  /** @type {string} */ target,
) {
  const directory = 40
  const texts = [library, name, target].map((text) => Buffer.from(`${text}\0`, 'latin1'))
  // After the directory: one address, one pointer to a name, one ordinal with two bytes of padding, then the strings.
  const functions = at + directory
  const names = functions + 4
  const ordinals = names + 4
  const [libraryAt = 0, nameAt = 0, targetAt = 0] = texts.map(
    (_, index) => ordinals + 4 + texts.slice(0, index).reduce((sum, text) => sum + text.length, 0),
  )
  const table = Buffer.alloc(directory + 12)
  table.writeUInt32LE(libraryAt, 12)
  table.writeUInt32LE(1, 16) // base of the ordinals
  table.writeUInt32LE(1, 20) // functions
  table.writeUInt32LE(1, 24) // names
  table.writeUInt32LE(functions, 28)
  table.writeUInt32LE(names, 32)
  table.writeUInt32LE(ordinals, 36)
  // An address inside the export directory is the text "library.function" of the forwarding target.
  table.writeUInt32LE(targetAt, 40)
  table.writeUInt32LE(nameAt, 44)
  return Buffer.concat([table, ...texts])
}

/**
 * A 64-bit Windows library without code (PE32+) that exports one function, forwarded to another library.
 * @param {string} library its own name, `bcryptprimitives.dll`
 * @param {string} name the exported name
 * @param {string} target the function that is called, `advapi32.SystemFunction036`
 */
export function forwarderDll(library, name, target) {
  const section = exportDirectory(sectionAlignment, library, name, target)
  const image = Buffer.alloc(
    headersSize + Math.ceil(section.length / fileAlignment) * fileAlignment,
  )
  image.write('MZ', 0, 'latin1')
  const header = 0x40
  image.writeUInt32LE(header, 0x3c)
  image.write('PE\0\0', header, 'latin1')
  const coff = header + 4
  image.writeUInt16LE(0x8664, coff) // AMD64
  image.writeUInt16LE(1, coff + 2) // sections
  image.writeUInt16LE(240, coff + 16) // size of the optional header
  image.writeUInt16LE(0x2022, coff + 18) // executable, large addresses, a library
  const optional = coff + 20
  image.writeUInt16LE(0x20b, optional) // PE32+
  image.writeUInt32LE(image.length - headersSize, optional + 8) // initialized data
  image.writeBigUInt64LE(imageBase, optional + 24)
  image.writeUInt32LE(sectionAlignment, optional + 32)
  image.writeUInt32LE(fileAlignment, optional + 36)
  image.writeUInt16LE(6, optional + 40) // for Windows Vista and later
  image.writeUInt16LE(6, optional + 48)
  image.writeUInt32LE(2 * sectionAlignment, optional + 56) // size of the image
  image.writeUInt32LE(headersSize, optional + 60)
  image.writeUInt16LE(2, optional + 68) // subsystem
  image.writeUInt16LE(0x160, optional + 70) // ASLR, NX
  image.writeUInt32LE(16, optional + 108) // data directories, the first of which are the exports
  image.writeUInt32LE(sectionAlignment, optional + 112)
  image.writeUInt32LE(section.length, optional + 116)
  const entry = optional + 240
  image.write('.edata', entry, 'latin1')
  image.writeUInt32LE(section.length, entry + 8)
  image.writeUInt32LE(sectionAlignment, entry + 12)
  image.writeUInt32LE(image.length - headersSize, entry + 16)
  image.writeUInt32LE(headersSize, entry + 20)
  image.writeUInt32LE(0x4000_0040, entry + 36) // initialized data, readable
  section.copy(image, headersSize)
  return image
}
