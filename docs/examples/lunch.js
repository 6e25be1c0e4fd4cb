// lunch.py for Bolt for JavaScript: npm install @slack/bolt, and node lunch.js with the settings of `signoff workbench`.
const { App } = require("@slack/bolt");

const PLACES = ["Alte Post", "Bar Roma", "Blue Fish", "Café Central", "The Green Table"];

const socket = process.env.SLACK_APP_TOKEN !== undefined;
const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  ...(socket
    ? { socketMode: true, appToken: process.env.SLACK_APP_TOKEN }
    : { signingSecret: process.env.SLACK_SIGNING_SECRET }),
});

const plain = (text) => ({ type: "plain_text", text });
const section = (text) => ({ type: "section", text: { type: "mrkdwn", text } });
const button = (label, action_id) => ({ type: "button", text: plain(label), action_id });

const form = (channel) => ({
  type: "modal",
  callback_id: "lunch",
  title: plain("Lunch"),
  submit: plain("Suggest"),
  notify_on_close: true,
  private_metadata: channel,
  blocks: [
    {
      type: "input",
      block_id: "place",
      label: plain("Place"),
      element: { type: "external_select", action_id: "place", min_query_length: 1 },
    },
    {
      type: "input",
      block_id: "note",
      label: plain("Note"),
      optional: true,
      element: { type: "plain_text_input", action_id: "note" },
    },
  ],
});

app.message(/hungry/i, async ({ message, say }) => {
  await say({ text: `Then type \`/lunch\`, <@${message.user}>.`, thread_ts: message.ts });
});

app.event("app_mention", async ({ event, say }) => {
  await say(`Lunch is at noon, <@${event.user}>.`);
});

app.event("app_home_opened", async ({ event, client }) => {
  if (event.tab !== "home") return;
  const again = { type: "actions", elements: [button("Suggest lunch", "again")] };
  const view = { type: "home", blocks: [section("*Nobody has to eat alone.*"), again] };
  await client.views.publish({ user_id: event.user, view });
});

app.command("/lunch", async ({ ack, command, client }) => {
  if (command.text === "help") {
    await ack("`/lunch` suggests a place.");
    return;
  }
  await ack();
  await client.views.open({ trigger_id: command.trigger_id, view: form(command.channel_id) });
});

const open = async ({ ack, body, client }) => {
  await ack();
  await client.views.open({ trigger_id: body.trigger_id, view: form("") });
};
app.shortcut("suggest_lunch", open);
app.action("again", open);

app.shortcut("remember_place", async ({ ack, shortcut, client }) => {
  await ack();
  const { message, channel } = shortcut;
  await client.chat.postMessage({ channel: channel.id, thread_ts: message.ts, text: `Remembered: ${message.text}` });
});

app.options("place", async ({ ack, payload }) => {
  const found = PLACES.filter((place) => place.toLowerCase().includes(payload.value.toLowerCase()));
  await ack({ options: found.map((place) => ({ text: plain(place), value: place })) });
});

app.view("lunch", async ({ ack, body, view, client }) => {
  const place = view.state.values.place.place.selected_option.value;
  const note = view.state.values.note.note.value || "No note.";
  if (place === "Blue Fish") {
    await ack({ response_action: "errors", errors: { place: "It is closed today." } });
    return;
  }
  await ack();
  const join = { type: "actions", elements: [button("Join", "join")] };
  await client.chat.postMessage({
    channel: view.private_metadata || body.user.id,
    text: `Lunch at ${place}`,
    blocks: [section(`<@${body.user.id}> suggests *${place}*. ${note}`), join],
  });
});

app.view({ callback_id: "lunch", type: "view_closed" }, async ({ ack, body, client }) => {
  await ack();
  await client.chat.postMessage({ channel: body.user.id, text: "Another time, then." });
});

app.action("join", async ({ ack, body, respond }) => {
  await ack();
  await respond({ replace_original: true, text: `${body.message.text}: <@${body.user.id}> comes too.` });
});

app.start(Number(process.env.PORT || 3000));
