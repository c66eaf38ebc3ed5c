declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs parted by `|`: a Traditional character, a space, the Simplified forms it has. */
  const pairs: string
  export default pairs
}
