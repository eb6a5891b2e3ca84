/** Why signing in did not work. */
export function ErrorNote({ children }: { children: string }) {
  return (
    <p role="alert" className="mt-6 border-l-4 border-danger pl-4 font-[600] text-danger">
      {children}
    </p>
  );
}
