/** Who parses a document, told before anything is sent. */
export const documentParse = {
  documentParse: {
    by: 'Parsed by',
    only: 'Parsed by {account}.',
    here: 'Nothing leaves this computer. Engine: {engine}.',
    beside: 'The pages are sent to {host}, a program on this computer; model {model}.',
    away: 'The pages leave this computer: they are sent to {host}, model {model}.',
    keyless: 'There is no key for it yet: the pages wait until there is one.',
  },
}
