// TEACh: the Commander, who knows the task, and the Follower, who has the hands.

import { Seat } from "../seat.js";
import { begin } from "../parts.js";
import { style } from "../ui.js";
import { commander } from "./teach_commander.js";
import { follower } from "./teach_follower.js";

style("pages/home.css");
style("pages/teach.css");
const seat = Seat.here();
begin(seat, ...(document.body.dataset.role === "commander" ? commander : follower)(seat));
