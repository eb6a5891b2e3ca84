import { Component, type ReactNode } from "react";

interface LoadBoundaryProps {
  /**
   * Shown where the script of a part could not be loaded. Browsers keep the failure, so it offers to reload the page.
   */
  otherwise: ReactNode;
  children: ReactNode;
}

/** Keeps the page when a part of it fails to load. */
export class LoadBoundary extends Component<LoadBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? this.props.otherwise : this.props.children;
  }
}
