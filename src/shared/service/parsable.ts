/** Both worlds that this code runs in have the parser; the types of neither are known here. */
declare const URL: { canParse(text: string): boolean }

/**
 * Whether the URL parser takes this text, as it must before anything is sent there: ports, IPv6 groups and punycode have
 * rules that no pattern here repeats.
 */
export const isParsable = (text: string): boolean => URL.canParse(text)
