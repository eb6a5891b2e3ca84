import type { ComponentType } from "react";
import { useLocation } from "react-router-dom";
import { pages } from "../../paths.ts";
import { AdminLoginPage } from "./admin-login-page.tsx";
import { DashboardForward } from "./dashboard-forward.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { SignUpPage } from "./sign-up-page.tsx";
import { SignedInCallback } from "./signed-in-callback.tsx";
import { UnauthorizedPage } from "./unauthorized-page.tsx";

const screens: Readonly<Record<string, ComponentType>> = {
  [pages.signIn]: SignInPage,
  [pages.signUp]: SignUpPage,
  [pages.unauthorized]: UnauthorizedPage,
  [pages.signedIn]: SignedInCallback,
  [pages.dashboard]: DashboardForward,
};

/** The pages around signing in. What is none of the others is the admin login, whatever follows its address. */
export default function SignInArea() {
  const { pathname } = useLocation();
  const Screen = screens[pathname.replace(/\/+$/, "")] ?? AdminLoginPage;
  return <Screen />;
}
