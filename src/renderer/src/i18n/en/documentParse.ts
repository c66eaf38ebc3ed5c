/** The account that parses a document, and where its pages are sent. */
export const documentParse = {
  documentParse: {
    by: 'Account',
    only: 'Account: {account}',
    here: 'Nothing leaves this computer.',
    localhost: 'Pages are sent to {host} on this computer.',
    remote: 'Pages are sent to {host}.',
    keyless: 'Add an API key to start.',
  },
}
