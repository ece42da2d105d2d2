// SPDX-License-Identifier: Apache-2.0

// A GTK 4 program with one window. It ends after the number of milliseconds in its argument.
#include <gtk/gtk.h>

static gboolean end(gpointer application) {
  g_application_quit(application);
  return FALSE;
}

static void activate(GtkApplication *application, gpointer milliseconds) {
  GtkWidget *window = gtk_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(window), "hello");
  gtk_window_set_child(GTK_WINDOW(window), gtk_label_new("hello"));
  // Before the window is there: then a test may end the program.
  g_print("activated\n");
  gtk_window_present(GTK_WINDOW(window));
  if (GPOINTER_TO_INT(milliseconds) > 0) g_timeout_add(GPOINTER_TO_INT(milliseconds), end, application);
}

int main(int argc, char **argv) {
  int milliseconds = argc > 1 ? atoi(argv[1]) : 0;
  GtkApplication *application = gtk_application_new(NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), GINT_TO_POINTER(milliseconds));
  int status = g_application_run(G_APPLICATION(application), 1, argv);
  g_object_unref(application);
  return status;
}
