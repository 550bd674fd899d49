import { render } from "preact";
import { App } from "./app.tsx";
import { followAddress } from "./state/route.ts";
import { followSettings } from "./state/settings.ts";
import "./style/tokens.css";
import "./style/frame.css";
import "./style/parts.css";
import "./style/views.css";

followSettings();
followAddress();
render(<App />, document.getElementById("app")!);
