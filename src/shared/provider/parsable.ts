/** Both environments of this code have the parser; the types of neither are available here. */
declare const URL: { canParse(text: string): boolean }

/**
 * Returns whether the URL parser accepts this text, as it must before a request: ports, IPv6 groups and punycode have rules
 * that no pattern here repeats.
 */
export const isParsable = (text: string): boolean => URL.canParse(text)
