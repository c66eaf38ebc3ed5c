/** The account that parses a document, and where its pages are sent. */
export const documentParse = {
  documentParse: {
    by: 'Account',
    only: 'Account: {account}',
    here: 'Nothing leaves this computer.',
    beside: 'Pages are sent to {host} on this computer.',
    away: 'Pages are sent to {host}.',
    keyless: 'Add an API key to start.',
  },
}
