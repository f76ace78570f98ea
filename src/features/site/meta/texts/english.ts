/** The page that lists the operations of the API. */
export const english = {
  title: "API",
  operations: (count: number) => `${count} operations below `,
  description: ". The machine-readable description (Swagger 2.0) is ",
  subjects: "Subjects",
};
