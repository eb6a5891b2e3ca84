import { type FormEvent, useState } from "react";
import { grantRequest, type Settings } from "../../../../../contract/settings/settings.ts";
import { useIdentity } from "../../../../identity/page-identity.ts";
import { DenseField } from "../../../ui/dense-field.tsx";
import { Empty, Panel } from "../../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../../ui/tables/data-table.tsx";
import type { ViewProps } from "../proposals.tsx";
import { errorsIn, focusFirstError, SettingForm } from "../setting-form.tsx";
import type { SettingChange } from "../setting-history.tsx";

type Member = Settings["staff"][number];
type Role = Exclude<Member["grant"], "revoked">;

const roles: readonly { readonly value: Role; readonly words: string; readonly may: string }[] = [
  {
    value: "staff",
    words: "Staff",
    may: "handle orders, tickets and customers, and make refunds up to the limit",
  },
  {
    value: "manager",
    words: "Manager",
    may: "do everything staff can, change settings and roles, and approve refunds",
  },
  {
    value: "compliance",
    words: "Compliance",
    may: "view and export registers and timelines (read-only)",
  },
];
const grantWords = {
  staff: "Staff",
  manager: "Manager",
  compliance: "Compliance",
  revoked: "Revoked",
} as const;

export function StaffView({ settings, propose }: ViewProps) {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel title="Granted and revoked roles">
        <DataTable
          caption="Roles"
          columns={columnsFor({ settings, propose }, useIdentity().userId)}
          rows={settings.staff}
          keyOf={({ userId }) => userId}
          state="ready"
          empty={
            <Empty title="No roles have been granted or revoked here yet.">
              Until then, each person’s role comes from the identity provider’s token.
            </Empty>
          }
        />
        <AlwaysManagers names={settings.adminUsernames} />
      </Panel>
      <Grant settings={settings} propose={propose} />
    </div>
  );
}

function AlwaysManagers({ names }: { names: readonly string[] }) {
  return (
    <p className="mt-3 max-w-[66ch] text-13 text-muted">
      {names.length === 0
        ? "No permanent managers are set in the environment (ADMIN_USERNAMES)."
        : `Permanent managers set in the environment (ADMIN_USERNAMES): ${names.join(", ")}.`}{" "}
      A role granted here overrides the token’s. A revocation overrides both. You cannot change your own role.
    </p>
  );
}

function columnsFor({ settings, propose }: ViewProps, own: string | null): readonly Column<Member>[] {
  const revoke = ({ userId, name, grant }: Member): void =>
    propose({
      title: `Revoke ${name}?`,
      whatHappens: `${name} loses access to the back office at once, even if they are signed in now and whatever role their token gives. Their past actions stay in the history.`,
      confirmLabel: "Revoke",
      danger: true,
      change: { path: "staff/revoke", body: { userId } },
      seen: settings.revision,
      done: `${name}’s access has been revoked.`,
      undo: () => (grant === "revoked" ? undefined : { path: "staff/grant", body: { userId, role: grant } }),
    });
  return [
    {
      key: "who",
      header: "Who",
      cell: ({ userId, name }) => (
        <span className="flex flex-col wrap-anywhere">
          <span>{userId === own ? `${name} (you)` : name}</span>
          <span className="font-mono text-muted">{userId}</span>
        </span>
      ),
    },
    { key: "role", header: "Role", cell: ({ grant }) => grantWords[grant] },
    {
      key: "revoke",
      header: "Action",
      cell: (member) =>
        member.grant === "revoked" || member.userId === own ? (
          <span className="text-muted">–</span>
        ) : (
          <button type="button" className="button button-dense button-danger" onClick={() => revoke(member)}>
            Revoke<span className="sr-only"> {member.name}</span>
          </button>
        ),
    },
  ];
}

interface Chosen {
  readonly userId: string;
  readonly role: Role;
  /** Their role in the settings so far. */
  readonly before: Member["grant"] | undefined;
}

/** The change that restores the earlier role; undefined if only their token gave it. */
function undoOf({ userId, before }: Chosen): SettingChange | undefined {
  if (before === undefined) return undefined;
  return before === "revoked"
    ? { path: "staff/revoke", body: { userId } }
    : { path: "staff/grant", body: { userId, role: before } };
}

function granting(chosen: Chosen) {
  const { userId, role, before } = chosen;
  const until = before ? ` Current role: ${grantWords[before].toLowerCase()}.` : "";
  return {
    title: `Grant ${userId} the role ${role}?`,
    whatHappens: `They can ${roles.find(({ value }) => value === role)?.may ?? ""}. This applies at once, whatever role their token gives.${until}`,
    confirmLabel: "Grant role",
    change: { path: "staff/grant", body: { userId, role } },
    done: `${userId} now has the role ${role}.`,
    undo: () => undoOf(chosen),
  } as const;
}

function revoking(chosen: Chosen) {
  const { userId } = chosen;
  return {
    title: `Revoke ${userId}?`,
    whatHappens: "They lose access to the back office at once, whatever role their token gives.",
    confirmLabel: "Revoke",
    danger: true,
    change: { path: "staff/revoke", body: { userId } },
    done: `${userId}’s access has been revoked.`,
    undo: () => undoOf(chosen),
  } as const;
}

function Grant({ settings, propose }: ViewProps) {
  const [typed, setTyped] = useState("");
  const [role, setRole] = useState<Role>("staff");
  const [error, setError] = useState<string>();
  const ask = (proposalOf: typeof granting | typeof revoking): void => {
    const userId = typed.trim();
    const wrong = errorsIn(grantRequest, { userId, role, expectedRevision: settings.revision }).userId;
    setError(wrong);
    if (wrong) return;
    const before = settings.staff.find((member) => member.userId === userId)?.grant;
    const proposal = proposalOf({ userId, role, before });
    propose({ ...proposal, seen: settings.revision, onDone: () => setTyped("") });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    ask(granting);
  };
  return (
    <Panel title="Grant or revoke a role">
      <SettingForm className="flex flex-col gap-4" onSubmit={submit}>
        <DenseField
          label="User id"
          hint="The person’s id at the identity provider, such as user_2abc. Never enter a name or an email address: the id stays in the log permanently."
          error={error}
          className="font-mono"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Roles role={role} onChoose={setRole} />
        <div className="flex flex-wrap gap-2">
          <button type="submit" className="button button-dense button-primary">
            Review and grant
          </button>
          <button
            type="button"
            className="button button-dense button-danger"
            onClick={({ currentTarget }) => focusFirstError(currentTarget.form, () => ask(revoking))}
          >
            Review and revoke
          </button>
        </div>
      </SettingForm>
    </Panel>
  );
}

function Roles({ role, onChoose }: { role: Role; onChoose: (role: Role) => void }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-[500]">Role</legend>
      {roles.map(({ value, words, may }) => (
        <label key={value} className="flex gap-2">
          <input
            type="radio"
            name="role"
            className="mark size-5"
            checked={role === value}
            onChange={() => onChoose(value)}
          />
          <span>
            <span className="font-[500]">{words}</span> <span className="text-13 text-muted">can {may}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
