/** Watched tasks with what came of them, and files that replies name. */
export const tasks = {
  tasks: {
    find: 'Search tasks',
    noneFound: 'No task fits.',
    idsHint: 'One or several; an address or JSON that holds them will do. Enter watches them.',
    watchMany: 'Watch {n} tasks',
    question: 'Question',
    prompt: 'What it shows',
    modelHint: 'The id as your service names it; this app knows none for this kind.',
    bodyHint:
      'A JSON object with further fields the kind takes. What is asked may stand here too, as {field}, instead of in the field above.',
    askedTwice:
      'What is asked stands here as {field} and in the field above. Leave one of them empty.',
    filtered: 'Filtered: {role}, level {level} (0 is the gravest)',
    mcpLists: '{server} lists its tools',
    mcpCall: '{server} runs {name}',
    mcpOutput: 'What it gave',
    standings: {
      running: 'In work',
      done: 'Done',
      failed: 'Failed',
      needsYou: 'Needs you',
    },
    ends: {
      stop: 'It came to its end.',
      tool_calls: 'It ended with calls of tools.',
      length: 'It was cut off: the limit of tokens was reached.',
      sensitive: 'A review of contents stopped it.',
      network_error: 'The model failed while it was answering.',
      model_context_window_exceeded:
        'It was cut off: the conversation is longer than the model can read.',
    },
  },
  kept: {
    kept: 'Kept here',
    waiting: '{name} is being fetched…',
    missing: '{name} is missing',
    gone: 'Its link has expired, or the file is not there any more.',
    refused:
      'What lies at the address is not what the reply calls it, or the address is one that is not asked.',
    video: 'Video {n}',
    picture: 'Picture {n}',
    sound: 'Spoken answer',
  },
}
