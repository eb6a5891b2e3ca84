import { Component, type ReactNode } from "react";
import { NoConnection } from "./no-connection.tsx";
import { ServerFault } from "./server-fault.tsx";

/** Shows what happened in place of a page that broke or could not be loaded; header and footer stay. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return navigator.onLine ? <ServerFault /> : <NoConnection />;
  }
}
