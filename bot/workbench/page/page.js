/** What this tab knows: the state that the server sent last, and the choices of the person who looks at it. */

export const page = {
  as: "",
  state: null,
  directory: null,
  conversation: null, // the id of the open conversation
  thread: null, // the ts of the open thread's first message
  tab: "messages", // "home" or "messages", where the conversation is with the app
  panelOpen: false,
  newAfter: null, // what had been read when the conversation was opened
  newUntil: null, // what was its last message then
  linked: false, // whether this tab hears from the workbench
  render() {},
  openConversation() {},
  openThread() {},
  openSidebar() {},
  openTab() {},
  openPanel() {},
};

export function conversationOf(id) {
  return page.state.conversations.find((conversation) => conversation.id === id) ?? null;
}

/** Slack sends a text as an object or, in a few places, as a string. */
export function textOf(text) {
  return typeof text === "string" ? text : (text?.text ?? "");
}
