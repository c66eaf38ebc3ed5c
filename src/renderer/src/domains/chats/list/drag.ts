/** Drag data type of a row of the list; its value is the ID of the chat. */
export const chatDrag = 'application/x-lectern-chat'

/** Whether a drag contains a chat of the list. */
export const carriesChat = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes(chatDrag) ?? false
