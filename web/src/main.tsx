import { render } from "preact";
import { App } from "./app.tsx";
import { followAddress } from "./state/route.ts";
import { followSettings } from "./state/settings.ts";
import "./style/tokens.css";
import "./style/frame.css";
import "./style/parts.css";
import "./style/views/ask.css";
import "./style/views/search.css";
import "./style/views/documents.css";
import "./style/views/maps.css";
import "./style/views/reports.css";

followSettings();
followAddress();
render(<App />, document.getElementById("app")!);
