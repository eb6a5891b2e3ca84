import { Component, type ReactNode } from "react";
import { ServerFault } from "./server-fault.tsx";

/** Shows the Server Error words in place of a page that broke or could not be loaded; header and footer stay. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <ServerFault /> : this.props.children;
  }
}
