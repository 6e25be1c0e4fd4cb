/** The common emoji shortcodes; others stay as they were written. */

const TABLE = `
white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ negative_squared_cross_mark ❎ no_entry ⛔ no_entry_sign 🚫
hourglass ⌛ hourglass_flowing_sand ⏳ alarm_clock ⏰ stopwatch ⏱️ timer_clock ⏲️ clock1 🕐 clock3 🕒 clock4 🕓 clock9 🕘 clock12 🕛
warning ⚠️ rotating_light 🚨 bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 exclamation ❗ grey_exclamation ❕ question ❓ grey_question ❔
heavy_exclamation_mark ❗ bangbang ‼️ interrobang ⁉️ information_source ℹ️ sos 🆘 octagonal_sign 🛑 stop_sign 🛑 construction 🚧
large_green_circle 🟢 large_yellow_circle 🟡 large_orange_circle 🟠 red_circle 🔴 large_red_circle 🔴 large_blue_circle 🔵
large_purple_circle 🟣 large_brown_circle 🟤 white_circle ⚪ black_circle ⚫ large_green_square 🟩 large_red_square 🟥
large_yellow_square 🟨 large_blue_square 🟦 white_large_square ⬜ black_large_square ⬛ small_blue_diamond 🔹 small_orange_diamond 🔸
arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️ arrow_forward ▶️ arrow_backward ◀️ leftwards_arrow_with_hook ↩️
arrow_right_hook ↪️ arrows_counterclockwise 🔄 arrows_clockwise 🔃 repeat 🔁 back 🔙 fast_forward ⏩ rewind ⏪ black_square_for_stop ⏹️
double_vertical_bar ⏸️ pause_button ⏸️ stop_button ⏹️ eject ⏏️ infinity ♾️ heavy_plus_sign ➕ heavy_minus_sign ➖ new 🆕 ok 🆗 up 🆙
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 ok_hand 👌 wave 👋 clap 👏 raised_hands 🙌 raised_hand ✋ hand ✋ pray 🙏 muscle 💪 point_right 👉
point_left 👈 point_up ☝️ point_down 👇 crossed_fingers 🤞 handshake 🤝 writing_hand ✍️ eyes 👀 eye 👁️ speech_balloon 💬
thought_balloon 💭 left_speech_bubble 🗨️ smile 😄 smiley 😃 grinning 😀 grin 😁 joy 😂 laughing 😆 slightly_smiling_face 🙂 wink 😉
blush 😊 sunglasses 😎 thinking_face 🤔 neutral_face 😐 confused 😕 worried 😟 cry 😢 sob 😭 sweat_smile 😅 sleeping 😴 zzz 💤
exploding_head 🤯 shrug 🤷 robot_face 🤖 ghost 👻 skull 💀 bust_in_silhouette 👤 busts_in_silhouette 👥 crown 👑
heart ❤️ green_heart 💚 blue_heart 💙 yellow_heart 💛 broken_heart 💔 sparkles ✨ star ⭐ star2 🌟 zap ⚡ fire 🔥 boom 💥 tada 🎉
confetti_ball 🎊 balloon 🎈 gift 🎁 trophy 🏆 medal 🏅 dart 🎯 rocket 🚀 airplane ✈️ truck 🚚 package 📦 ship 🚢
lock 🔒 unlock 🔓 closed_lock_with_key 🔐 key 🔑 old_key 🗝️ shield 🛡️ wrench 🔧 hammer 🔨 hammer_and_wrench 🛠️ gear ⚙️ toolbox 🧰
bulb 💡 mag 🔍 mag_right 🔎 link 🔗 paperclip 📎 pushpin 📌 round_pushpin 📍 triangular_flag_on_post 🚩 checkered_flag 🏁
memo 📝 pencil 📝 pencil2 ✏️ page_facing_up 📄 page_with_curl 📃 scroll 📜 bookmark_tabs 📑 clipboard 📋 file_folder 📁
open_file_folder 📂 card_index_dividers 🗂️ wastebasket 🗑️ inbox_tray 📥 outbox_tray 📤 envelope ✉️ email 📧 incoming_envelope 📨
mailbox 📫 label 🏷️ receipt 🧾 credit_card 💳 moneybag 💰 money_with_wings 💸 dollar 💵 euro 💶 pound 💷 bank 🏦 abacus 🧮
chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊 calendar 📅 date 📅 spiral_calendar_pad 🗓️
computer 💻 desktop_computer 🖥️ keyboard ⌨️ iphone 📱 telephone_receiver 📞 satellite_antenna 📡 floppy_disk 💾 electric_plug 🔌
battery 🔋 globe_with_meridians 🌐 earth_africa 🌍 sunny ☀️ cloud ☁️ umbrella ☔ snowflake ❄️ rainbow 🌈 ocean 🌊 seedling 🌱
evergreen_tree 🌲 palm_tree 🌴 christmas_tree 🎄 sunflower 🌻 four_leaf_clover 🍀 coffee ☕ tea 🍵 beer 🍺 pizza 🍕 cake 🍰 bug 🐛 snail 🐌 turtle 🐢 dog 🐶 cat 🐱 unicorn_face 🦄
office 🏢 house 🏠 factory 🏭 one 1️⃣ two 2️⃣ three 3️⃣ four 4️⃣ five 5️⃣ 100 💯 vertical_traffic_light 🚦 traffic_light 🚥
crystal_ball 🔮 test_tube 🧪 microscope 🔬 thermometer 🌡️ pill 💊 fire_extinguisher 🧯 adhesive_bandage 🩹 ambulance 🚑
ballot_box_with_ballot 🗳️ scales ⚖️ lower_left_ballpoint_pen 🖊️ black_nib ✒️ crossed_flags 🎌 wavy_dash 〰️ heavy_dollar_sign 💲
`;

const EMOJI = new Map(pairs(TABLE.trim().split(/\s+/u)));

/** The emoji of a shortcode without its colons, or null. */
export function emojiOf(name) {
  return EMOJI.get(name) ?? null;
}

/** The pairs of shortcode and emoji whose code starts with these letters. */
export function emojiStartingWith(letters) {
  return [...EMOJI].filter(([name]) => name.startsWith(letters));
}

/** Plain text with its shortcodes turned into emoji. */
export function withEmoji(text) {
  return text.replace(/:([a-z0-9_+'-]+):(?::?skin-tone-[2-6]:)?/g, (written, name) => emojiOf(name) ?? written);
}

function pairs(words) {
  return words.flatMap((word, at) => (at % 2 ? [] : [[word, words[at + 1]]]));
}
