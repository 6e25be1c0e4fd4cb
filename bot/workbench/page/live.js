/** The stream of states from the workbench, and of news about the traffic, opened again whenever it breaks. */

const FIRST_WAIT = 300; // ms
const LONGEST_WAIT = 5000; // ms

export function listen(as, { onState, onTraffic, onLink }) {
  let wait = FIRST_WAIT;
  let timer = 0;

  function connect() {
    const socket = new WebSocket(addressFor(as));
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      onLink(true);
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "state") onState(message);
      else if (message.type === "traffic") onTraffic();
    });
    socket.addEventListener("close", () => {
      onLink(false);
      timer = setTimeout(connect, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    });
  }

  addEventListener("pagehide", () => clearTimeout(timer));
  connect();
}

function addressFor(as) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/workbench/live?as=${encodeURIComponent(as)}&traffic=yes`;
}
