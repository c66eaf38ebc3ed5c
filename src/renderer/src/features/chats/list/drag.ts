/** What a dragged row of the list carries: the id of its conversation, under this type. */
export const chatDrag = 'application/x-lectern-chat'

/** Whether a drag carries a conversation of the list. */
export const carriesChat = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes(chatDrag) ?? false
